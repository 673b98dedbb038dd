; An anchor inside a divergent branch: whoever happens to be there forms the group, and stays
; together for both operations. Which threads those are is up to the implementation.
; EXPECT: none

define i32 @leader_count(i1 %wants) {
entry:
  br i1 %wants, label %inside, label %done

inside:
  %group = call token @llvm.experimental.convergence.anchor()
  %votes = call i32 @ballot(i1 true) [ "convergencectrl"(token %group) ]
  %same_votes = call i32 @ballot(i1 %wants) [ "convergencectrl"(token %group) ]
  br label %done

done:
  %result = phi i32 [ 0, %entry ], [ %votes, %inside ]
  ret i32 %result
}

declare token @llvm.experimental.convergence.anchor()
declare i32 @ballot(i1) convergent
