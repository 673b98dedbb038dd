define void @f(i32 %a) { %x = add i32 %a, 1 br label %b b: ret void } define i32 @g(i1 %c) { br i1 %c, label %x, label %y x: ret i32 1 y: ret i32 2 }
