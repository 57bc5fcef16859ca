/** The messenger's name in the legacy API, and in the spec. */
const theirs = 'facebook-messenger'
const ours = 'vendor-messenger'

/** A channel, or the implicit tag of one, as the spec names it. */
export function channelNamed(name: string): string {
  return name === theirs ? ours : name
}

/** A channel as the legacy API names it. */
export function nameOfChannel(channel: string): string {
  return channel === ours ? theirs : channel
}
