void one(void);
void two(void);
void last(void);
kernel void loop_nest(global const uint*turns,global const uint*skips){uint id=get_local_id(0x7fffffffffffffff),skip=skips[id],turn=turns[id];
do{do{one();
turn--;
}
while(skip&&skip--);
two();
}
while(turn);
last();
}
