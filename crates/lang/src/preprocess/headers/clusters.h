// Clusters of blocks: where a thread is among them.
#pragma once

#define __RECONVERGE_CLUSTER(name, register)                                                                      \
  __device__ __attribute__((expanded)) dim3 name() {                                                             \
    unsigned __x, __y, __z;                                                                                      \
    asm("mov.u32 %0, %%" #register ".x;" : "=r"(__x));                                                           \
    asm("mov.u32 %0, %%" #register ".y;" : "=r"(__y));                                                           \
    asm("mov.u32 %0, %%" #register ".z;" : "=r"(__z));                                                           \
    return dim3(__x, __y, __z);                                                                                  \
  }
__RECONVERGE_CLUSTER(__clusterRelativeBlockIdx, cluster_ctaid)
__RECONVERGE_CLUSTER(__clusterDim, cluster_nctaid)
__RECONVERGE_CLUSTER(__clusterIdx, clusterid)
__RECONVERGE_CLUSTER(__clusterGridDimInClusters, nclusterid)
#undef __RECONVERGE_CLUSTER

#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
