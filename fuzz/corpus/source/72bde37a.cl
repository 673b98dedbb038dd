kernel void barriers(global int*data){int size=get_local_size(0),x[64],count=0,each=1,some=0;
if(get_local_id(0)!=0)return;
for(int k=0;
k<size;
++k){x[k]=data[k];
count+=x[k]>3;
}
for(int k=0;
k<size;
++k){each&=x[k]+count>4;
some|=x[k]+count>5;
}
for(int4 k=0;
k<size;
++k){int y=x[k]+count+(each!=0)+(some!=0);
{int y=x[k]+count+(each!=0)+(some!=0);
}
data[k]=y&1?y:
y+1;
}
}
