// Stands in for what libsql asks which of its binaries to load: that one has Node write a whole diagnostic report
// to tell the C library, which takes longer (5 ms) than everything else about loading the binary.
import { currentTarget as targetOf } from '@neon-rs/load';
import { familySync, MUSL } from 'detect-libc';

const { arch, platform } = process;

export const currentTarget = () =>
  platform === 'linux' && (arch === 'x64' || arch === 'arm64')
    ? `linux-${arch}-${familySync() === MUSL ? 'musl' : 'gnu'}`
    : targetOf();
