/** One of a stream of server-sent events. */
export type ServerEvent = { readonly id: string; readonly event: string; readonly data: string }

/**
 * The events of a stream, as many at once as came at once: none where it was only a sign of life.
 * What the server left unfinished at the end is dropped, as the format asks.
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<readonly ServerEvent[], void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      yield blocks.map(parseBlock).filter(({ data }) => data !== '')
    }
  } finally {
    // Whoever reads no further lets go of the connection.
    await reader.cancel().catch(() => {})
  }
}

function parseBlock(block: string): ServerEvent {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? []
    const before = name === 'data' ? fields.get(name) : undefined
    fields.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  const { id = '', event = 'message', data = '' } = Object.fromEntries(fields)
  return { id, event, data }
}
