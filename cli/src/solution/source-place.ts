/** A place in a file of scripts, and a message about it. */
export type SourcePlace = {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** The place in a line of source that a message names: the column, from 1, if it is certain. */
export type Mark = { readonly column: number | undefined; readonly under: string }

/** `file.lua:3: …` in its parts; undefined if the text names no place. */
export function placeIn(text: string): SourcePlace | undefined {
  const [, file = '', line = '', message = ''] =
    /^([^\n:]+\.lua):(\d+):? ?([\s\S]*)$/.exec(text) ?? []
  return file === '' ? undefined : { file, line: Number(line), message }
}

/** Lua shortens a long name to its last part, behind three dots. */
export function findSource(
  sources: ReadonlyMap<string, string>,
  file: string,
): { readonly file: string; readonly text: string } | undefined {
  const ending = file.startsWith('...') ? file.slice('...'.length) : undefined
  for (const [name, text] of sources) {
    if (name === file || (ending !== undefined && name.endsWith(ending))) {
      return { file: name, text }
    }
  }
  return undefined
}

/**
 * Lua's messages name a line, and often the name at fault. Each place of the line where
 * that occurs is marked, since Lua does not name one; without any, the line's beginning.
 */
export function markFault(line: string, message: string): Mark {
  const name = findFaultyName(message)
  const places = name === undefined ? [] : findPlaces(line, name)
  if (name === undefined || places.length === 0) {
    const [indent = ''] = /^\s*/.exec(line) ?? []
    const start = name === '<eof>' ? line.trimEnd().length : indent.length
    return { column: undefined, under: `${blankOut(line.slice(0, start))}^` }
  }
  let under = ''
  for (const at of places) {
    under += blankOut(line.slice(under.length, at)) + '^'.padEnd(name.length, '~')
  }
  const [only = 0, ...more] = places
  return { column: more.length === 0 ? only + 1 : undefined, under }
}

const faultyNames = [
  /\((?:local|global|field|method|upvalue|constant) '([^']+)'\)/,
  / near '([\s\S]+)'$/,
  / near (<eof>)$/,
  / to '([^']+)'/,
  /^(expect)ed /,
]

function findFaultyName(message: string): string | undefined {
  for (const one of faultyNames) {
    const found = one.exec(message)?.[1]
    // A method of a library is named with its table: the line may have it with a colon.
    if (found !== undefined) return found
  }
  return undefined
}

const wordLetter = /\w/

/** Whole words alone: `level` is not in `levels`. */
function findPlaces(line: string, name: string): number[] {
  const places: number[] = []
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + name.length)) {
    const before = line[at - 1] ?? ' '
    const behind = line[at + name.length] ?? ' '
    const begins = !(wordLetter.test(before) && wordLetter.test(name[0] ?? ''))
    const ends = !(wordLetter.test(behind) && wordLetter.test(name.at(-1) ?? ''))
    if (begins && ends) places.push(at)
  }
  return places
}

/** As wide as the text on a terminal, whose tabs stay tabs. */
function blankOut(text: string): string {
  return text.replaceAll(/[^\t]/g, ' ')
}
