; Names, comments, white space, use-list orders and a module summary.
   ; an indented comment
source_filename = "misc.ll" ; a comment after

; "strings" in comments, {braces}, and ; more semicolons: define void @not.a.function() {

@"a name with spaces" = global i32 0
@"name;with;semicolons" = global ptr @"a name with spaces"
@"}" = global i32 0
@"define" = global i32 0
@.dot = global i32 0
@"\01raw" = global i32 0
@"\C3\A9" = global i32 0

	define	void	@tabs(	)	{	ret	void	}

define void @"function }
with newline"() {
"entry block":
  br label %"quoted block"
"quoted block":                                   ; preds = %"entry block"
  br label %-dash
-dash:
  br label %dot.ted
dot.ted:
  br label %$dollar
$dollar:
  br label %under_score
under_score:
  br label %"\22}\22"
"\22}\22":
  ; a comment that is only }
  ret void
}

define i32 @words(i32 %define, i32 %ret, i32 %"add", i32 %x, ptr %ptr, i1 %i1) {
  %label = add i32 %define, %ret
  %to = add i32 %label, %"add"
  %unwind
    = add
      i32 %to
      , ; a comment in the middle
      %x
  %call = select i1 %i1, i32 %unwind, i32 %x
  %"weird ] name" = add i32 %call, 1
  %"\09" = add i32 %"weird ] name", 2
  br label %switch
switch:
  switch i32 %x, label %br [ i32 1, label %br i32 2, label %switch.x ]
switch.x: br label %br
br:
  ret i32 %"\09"
}

define i32 @orders(i32 %a, i1 %c) {
entry:
  %x = add i32 %a, %a
  %y = add i32 %x, %a
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %z = phi i32 [ %x, %entry ], [ %y, %one ]
  %w = add i32 %z, 7
  %v = add i32 %w, %x
  ret i32 %v
  uselistorder i32 %x, { 1, 0, 2 }
  uselistorder label %two, { 1, 0 }
}

@user1 = global ptr @shared
@user2 = global ptr @shared
@user3 = global ptr @shared
@shared = global i32 0
@where = global [2 x ptr] [ptr blockaddress(@orders.of.blocks, %b), ptr getelementptr (i8, ptr blockaddress(@orders.of.blocks, %b), i64 1)]

define void @orders.of.blocks() {
  br label %b
b:
  ret void
}

uselistorder ptr @shared, { 2, 0, 1 }

^0 = module: (path: "misc.o", hash: (0, 1, 2, 3, 4))
^1 = gv: (name: "tabs", summaries: (function: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), insts: 1, funcFlags: (readNone: 1, readOnly: 0, noRecurse: 1, returnDoesNotAlias: 0, noInline: 0, alwaysInline: 0, noUnwind: 1, mayThrow: 0, hasUnknownCall: 0, mustBeUnreachable: 0)))) ; guid = 1
^2 = gv: (name: ".dot", summaries: (variable: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0), varFlags: (readonly: 1, writeonly: 1, constant: 0))))
^3 = flags: 8
^4 = blockcount: 9
