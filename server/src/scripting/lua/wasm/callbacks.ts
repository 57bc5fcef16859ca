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
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x0e, 0x03, 0x60, 0x00, 0x00, 0x60, 0x01, 0x7f, 0x01, 0x7f],
  ...[0x60, 0x02, 0x7f, 0x7f, 0x00],
  ...[0x02, 0x13, 0x03, 0x01, 0x65, 0x01, 0x74, 0x00, 0x00, 0x01, 0x65, 0x01, 0x66, 0x00, 0x01],
  ...[0x01, 0x65, 0x01, 0x68, 0x00, 0x02],
  ...[0x07, 0x0d, 0x03, 0x01, 0x74, 0x00, 0x00, 0x01, 0x66, 0x00, 0x01, 0x01, 0x68, 0x00, 0x02],
)
const passage = new WebAssembly.Module(binary)

/** The callbacks as functions that a table takes. */
export function asTableEntries(callbacks: Callbacks): Record<keyof Callbacks, unknown> {
  const { tick, function: call, hook } = callbacks
  const { exports } = new WebAssembly.Instance(passage, { e: { t: tick, f: call, h: hook } })
  return { tick: exports.t, function: exports.f, hook: exports.h }
}
