import type { ChannelSpec } from './types.ts'

/** The channels that were understood, and a sentence for each thing that was odd. */
export type ConfigIo =
  | { readonly channels: ChannelSpec[]; readonly complaints: string[] }
  | { readonly error: string }

export function parseConfigIo(_text: string): ConfigIo {
  throw new Error('not built yet')
}
