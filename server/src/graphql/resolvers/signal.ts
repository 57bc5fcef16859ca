import type { HistoryRange, Signal, Value } from '../../assets/index.ts'
import type { Context } from '../context.ts'
import { deviceOf, type NewSignalInput, parseNewSignal, requireOwnDevices } from '../inputs.ts'
import type { Resolvers } from '../schema.ts'

export const signalResolvers = {
  Mutation: { createSignal },
  Signal: { lastValue, values },
} satisfies Resolvers

function lastValue({ id }: Signal, _: unknown, context: Context) {
  return context.loaders.lastValue(id)
}

async function values({ id }: Signal, range: HistoryRange, context: Context): Promise<Value[]> {
  context.work.countLookup()
  const found = await context.assets.history(context.businessId, id, range)
  context.work.countRows(found.length)
  return found
}

async function createSignal(
  _: unknown,
  { assetId, input }: { readonly assetId: string; readonly input: NewSignalInput },
  context: Context,
): Promise<Signal> {
  context.work.countLookup()
  const signal = parseNewSignal(input)
  const device = deviceOf(signal)
  await requireOwnDevices(context, device === undefined ? [] : [device])
  const made = await context.assets.signals.create(context.businessId, assetId, signal)
  context.forget()
  return made
}
