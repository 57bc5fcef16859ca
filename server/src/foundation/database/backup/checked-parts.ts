import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createParser, parseOwnJson, type Static, StrictObject, Type } from '../../kernel/index.ts'
import type { FileLayout } from './layout.ts'
import { type Part, parseEnd, Sha256 } from './manifest.ts'
import { hashBytes } from './write.ts'

/** The progress of a check of a backup, and its file. */
const State = StrictObject({
  format: Type.Literal(1),
  bytes: Type.Integer({ minimum: 0 }),
  /** In nanoseconds: a number would be rounded. */
  modified: Type.String({ maxLength: 40 }),
  /** The SHA-256 of end.json. */
  end: Sha256,
  /** The number of parts that were found whole, from the first on. */
  parts: Type.Integer({ minimum: 0 }),
  /** The SHA-256 of the list of these parts. */
  list: Sha256,
})

type State = Static<typeof State>
type FileState = Pick<State, 'bytes' | 'modified' | 'end'>

const parseState = createParser(State, {
  name: 'the state of a check',
  objectRule: 'must be an object',
  firstIndex: 0,
  unknownField: (field) => `no field ${field}`,
})

/** So long a part may be checked before the state says so: a killed check repeats that much. */
const keepMs = 250

/**
 * The parts of a backup that a check has found whole. They are kept in a file beside the backup
 * until the check has ended, so that an interrupted check can go on. A state of another file
 * (size, time of its last change, list at its end) counts for nothing.
 */
export class CheckedParts {
  readonly path: string
  readonly #file: FileState
  readonly #parts: Part[] = []
  #timer: NodeJS.Timeout | undefined
  #failure: Error | undefined

  private constructor(path: string, file: FileState) {
    this.path = path
    this.#file = file
  }

  static async open(path: string, handle: FileHandle, { end }: FileLayout): Promise<CheckedParts> {
    const { size, mtimeNs } = await handle.stat({ bigint: true })
    const state = join(dirname(path), `.${basename(path)}.verify`)
    const file = { bytes: Number(size), modified: String(mtimeNs), end: hashBytes(end) }
    return new CheckedParts(state, file)
  }

  /** The parts that an earlier check found whole, in order; none if the file is another one. */
  recall({ end, parts }: FileLayout): readonly Part[] {
    try {
      const state = parseState(parseOwnJson(readFileSync(this.path, 'utf8')))
      const { bytes, modified, end: endSum } = this.#file
      if (state.bytes !== bytes || state.modified !== modified || state.end !== endSum) return []
      const listed = parseEnd(parseOwnJson(end.toString('utf8'))).parts.slice(0, state.parts)
      const isSame = listed.every(({ name }, at) => parts[at]?.name === name)
      if (!isSame || listed.length !== state.parts || hashParts(listed) !== state.list) return []
      this.#parts.push(...listed)
      return listed
    } catch {
      // There is none, or it was cut while it was written: all is read anew.
      return []
    }
  }

  /** Takes the next part; it is kept within `keepMs`. */
  add(part: Part): void {
    this.#parts.push(part)
    this.#timer ??= setTimeout(() => this.keep(), keepMs).unref()
  }

  /** Writes the state. A folder that cannot be written costs a later check time, and no more. */
  keep(): void {
    this.#stopTimer()
    if (this.#parts.length === 0) return
    const checked = { parts: this.#parts.length, list: hashParts(this.#parts) }
    const state: State = { format: 1 as const, ...this.#file, ...checked }
    const draft = `${this.path}.new`
    this.#attempt(() => {
      writeFileSync(draft, JSON.stringify(state), { mode: 0o600 })
      renameSync(draft, this.path)
    })
    if (this.#failure !== undefined) this.#attempt(() => rmSync(draft, { force: true }))
  }

  /** Removes the state: the next check reads all. */
  forget(): void {
    this.#stopTimer()
    this.#attempt(() => rmSync(this.path, { force: true }))
  }

  /** The reason why the state could not be written or removed. */
  get failure(): Error | undefined {
    return this.#failure
  }

  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failure ??= error as Error
    }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

function hashParts(parts: readonly Part[]): string {
  return hashBytes(Buffer.from(parts.map(({ name, sha256 }) => `${sha256} ${name}\n`).join('')))
}
