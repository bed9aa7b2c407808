// Compiled, never run: does this compiler take NVIDIA's inline PTX?
__kernel void probe_ptx(__global uint* out) {
  uint lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[get_global_id(0)] = lane;
}
