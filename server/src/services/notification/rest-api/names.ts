/** The messenger's name in the ending service, and in the spec. */
const theirs = 'facebook-messenger'
const ours = 'vendor-messenger'

/** A channel, or the implicit tag of one, as the spec names it. */
export function channelNamed(name: string): string {
  return name === theirs ? ours : name
}

/** The same as clients of the ending service know it. */
export function nameOfChannel(channel: string): string {
  return channel === ours ? theirs : channel
}
