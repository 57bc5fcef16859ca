import type { Queryable } from '../../database/index.ts'
import type { View } from '../../groups/index.ts'
import { Fault } from '../../kernel/index.ts'
import { signalsWithIds } from '../store/signals.ts'
import type { Signal } from '../types.ts'

/** @throws Fault `not_found`. */
export async function requireSignal(queryable: Queryable, view: View, id: string): Promise<Signal> {
  const [signal] = await signalsWithIds(queryable, view, [id])
  return presentSignal(signal, id)
}

/** @throws Fault `not_found` where there is none. */
export function presentSignal(signal: Signal | undefined, id: string): Signal {
  if (signal === undefined) throw new Fault('not_found', `there is no signal ${id}`)
  return signal
}
