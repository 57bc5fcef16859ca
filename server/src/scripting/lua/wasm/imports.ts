/** The imports of Lua from outside its memory: its heap, and the unwinding of its errors. */
export type World = {
  /** Makes room for that many bytes, or returns that there is none. */
  grow(bytes: number): boolean
  /** Calls a function that may end by the marker; gives whether it did. */
  call(slot: number, a: number, b: number): boolean
  /** From this Lua's hashes and its random numbers begin. */
  seed(): number
}

/** Thrown where Lua's C code jumps out of its depth; caught by the call that waits for it. */
export const longJump = Symbol('long jump')

const refused = -52 // ENOSYS
const wasiRefused = 52

/**
 * The 27 imports of the binary, and no more. There are no files, no environment and no time: what
 * scripts may have of these, the prelude gives them.
 */
export function importsFor(
  world: World,
  setThrew: () => void,
): Record<string, WebAssembly.Exported> {
  const never = (name: string) => () => {
    throw new Error(`Lua called ${name}`)
  }
  return {
    env: {
      abort: never('abort'),
      exit: never('exit'),
      invoke_vii(slot: number, a: number, b: number): void {
        if (world.call(slot, a, b)) setThrew()
      },
      _emscripten_throw_longjmp(): never {
        throw longJump
      },
      emscripten_resize_heap: (bytes: number) => (world.grow(bytes >>> 0) ? 1 : 0),
      emscripten_date_now: () => world.seed(),
      _emscripten_get_now_is_monotonic: () => 1,
      strftime: () => 0,
      system: () => -1,
      __syscall_openat: () => refused,
      __syscall_fcntl64: () => refused,
      __syscall_ioctl: () => refused,
      __syscall_dup3: () => refused,
      __syscall_unlinkat: () => refused,
      __syscall_rmdir: () => refused,
      __syscall_renameat: () => refused,
      __syscall_readlinkat: () => refused,
      _mktime_js: () => -1,
      _localtime_js: () => undefined,
      _gmtime_js: () => undefined,
      _tzset_js: () => undefined,
    },
    wasi_snapshot_preview1: {
      fd_write: () => wasiRefused,
      fd_read: () => wasiRefused,
      fd_close: () => wasiRefused,
      fd_seek: () => wasiRefused,
      environ_sizes_get: () => wasiRefused,
      environ_get: () => wasiRefused,
    },
  }
}
