export type Callbacks = {
  /** Called by Lua's loops. */
  tick(): void
  /** A `lua_CFunction`: takes the state, gives the number of results. */
  function(state: number): number
}

/**
 * Imports `tick: () -> ()` and `function: (i32) -> i32`, and exports the same: a function of
 * JavaScript must pass through a module before the table takes it.
 */
const binary = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x09, 0x02, 0x60, 0x00, 0x00, 0x60, 0x01, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x0d, 0x02, 0x01, 0x65, 0x01, 0x74, 0x00, 0x00, 0x01, 0x65, 0x01, 0x66, 0x00, 0x01],
  ...[0x07, 0x09, 0x02, 0x01, 0x74, 0x00, 0x00, 0x01, 0x66, 0x00, 0x01],
)
const passage = new WebAssembly.Module(binary)

/** The callbacks as functions that a table takes. */
export function asTableEntries(callbacks: Callbacks): { tick: unknown; function: unknown } {
  const { tick, function: call } = callbacks
  const { exports } = new WebAssembly.Instance(passage, { e: { t: tick, f: call } })
  return { tick: exports.t, function: exports.f }
}
