/** Nested mappings with texts at their leaves: what is needed of an OpenAPI file. */
export type Outline = { [key: string]: Outline | string }

/**
 * The block mappings of a YAML text: keys and plain or quoted one-line values, by indentation.
 * Lists, anchors, flow mappings and folded texts are passed over: OpenAPI's paths, methods and
 * operation ids are hardly ever written with them. Pure; never throws; linear in the text, which
 * is not trusted.
 */
export function outlineYaml(text: string): Outline {
  const root = empty()
  const open: { indent: number; node: Outline }[] = [{ indent: -1, node: root }]
  for (const raw of text.split('\n')) {
    const body = raw.trim()
    const pair = splitPair(body)
    if (pair === undefined) continue
    const indent = raw.indexOf(body)
    while (open.length > 1 && (open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const parent = open.at(-1)?.node ?? root
    if (pair.value !== '') {
      parent[pair.key] = pair.value
      continue
    }
    const node = empty()
    parent[pair.key] = node
    open.push({ indent, node })
  }
  return root
}

/** Without a prototype: no key of an untrusted text may be a property of every object. */
function empty(): Outline {
  return Object.create(null) as Outline
}

function splitPair(body: string): { key: string; value: string } | undefined {
  if (body.startsWith('#') || body.startsWith('-')) return undefined
  const quote = body[0] === '"' || body[0] === "'" ? body[0] : undefined
  const end = quote === undefined ? keyEnd(body) : body.indexOf(quote, 1) + 1
  if (end <= 0 || body[end] !== ':') return undefined
  const key = quote === undefined ? body.slice(0, end).trimEnd() : body.slice(1, end - 1)
  return { key, value: scalar(body.slice(end + 1).trim()) }
}

/** A plain key ends at a colon that a space or the line's end follows. */
function keyEnd(body: string): number {
  const spaced = body.indexOf(': ')
  return spaced === -1 && body.endsWith(':') ? body.length - 1 : spaced
}

function scalar(text: string): string {
  const quote = text[0]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1)
    return end === -1 ? text : text.slice(1, end)
  }
  if (text.startsWith('#')) return ''
  const comment = text.indexOf(' #')
  return comment === -1 ? text : text.slice(0, comment).trimEnd()
}
