kernel void k(uint s){do{barrier(1); } while(turn); barrier(1);}
