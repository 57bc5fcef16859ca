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

export type Callbacks = {
  /** Called by Lua's loops. */
  tick(): void
  /** A `lua_CFunction`: takes the state, gives the number of results. */
  function(state: number): number
  /** A `lua_Hook`: takes the state, and the address of Lua's record of the event. */
  hook(state: number, debug: number): void
}

/**
 * Imports `tick: () -> ()`, `function: (i32) -> i32` and `hook: (i32, i32) -> ()`, and exports the
 * same: a function of JavaScript must pass through a module before the table takes it.
 */
const binary = Uint8Array.of(
  0x00,
  0x61,
  0x73,
  0x6d,
  0x01,
  0x00,
  0x00,
  0x00,
  0x01,
  0x0e,
  0x03,
  0x60,
  0x00,
  0x00,
  0x60,
  0x01,
  0x7f,
  0x01,
  0x7f,
  0x60,
  0x02,
  0x7f,
  0x7f,
  0x00,
  0x02,
  0x13,
  0x03,
  0x01,
  0x65,
  0x01,
  0x74,
  0x00,
  0x00,
  0x01,
  0x65,
  0x01,
  0x66,
  0x00,
  0x01,
  0x01,
  0x65,
  0x01,
  0x68,
  0x00,
  0x02,
  0x07,
  0x0d,
  0x03,
  0x01,
  0x74,
  0x00,
  0x00,
  0x01,
  0x66,
  0x00,
  0x01,
  0x01,
  0x68,
  0x00,
  0x02,
)
const passage = new WebAssembly.Module(binary)

/** The callbacks as functions that a table takes. */
export function asTableEntries(callbacks: Callbacks): Record<keyof Callbacks, unknown> {
  const { tick, function: call, hook } = callbacks
  const { exports } = new WebAssembly.Instance(passage, { e: { t: tick, f: call, h: hook } })
  return { tick: exports.t, function: exports.f, hook: exports.h }
}
