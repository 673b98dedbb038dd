void start(void);
int jump(void);
void middle(void);
int again(void);
void one(void);
void two(void);
int ask(void);
void leave(void);
void five(void);
void last(void);
void outside(void);
kernel void jump_into_loop(void){start();
if(jump())goto within;
middle();
while(again()){one();
within:
two();
if(ask()){leave();
goto out;
}
five();
}
if(last>0){last();
}
out:
outside();
}
