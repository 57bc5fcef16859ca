import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Fault } from './errors.ts'
import type { Random } from './ids.ts'
import { limits } from './limits.ts'

const run = promisify(argon2)

/**
 * The least that OWASP recommends for argon2id: 19 MiB, two passes, parallelism 1; about 25 ms of
 * one core. With more, sign-ins could overload a small machine. They are stored with each hash, so
 * a later version may use more: the passwords of this one stay valid, and are hashed anew when
 * their users sign in.
 */
const memoryKib = 19 * 1024
const passes = 2
const parallelism = 1
const prefix = `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$`
const saltBytes = 16
const hashBytes = 32

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export type Passwords = {
  /** The text to store for a password. */
  hash(password: string): Promise<string>
  /** Returns whether the password is the stored one; false takes as long if none is stored. */
  verify(password: string, hash: string | undefined): Promise<boolean>
  /** Returns whether the hash has other parameters than new ones have. */
  isOutdated(hash: string): boolean
}

/**
 * Runs argon2 on the worker threads of Node, so many at once and so many waiting.
 * Both verbs throw Fault overloaded past that.
 */
export function createPasswords(random: Random): Passwords {
  const slots = createSlots()
  const nobody = format(random(saltBytes), random(hashBytes))
  const dummies = createDummies()
  return {
    async hash(password) {
      const salt = random(saltBytes)
      const parameters = makeParameters(password, salt)
      return format(salt, await slots.take(() => run('argon2id', parameters)))
    },
    async verify(password, hash) {
      const { parameters, expected } = parse(password, hash ?? nobody)
      if (hash === undefined) {
        await dummies(() => slots.take(() => run('argon2id', parameters)))
        return false
      }
      const found = await slots.take(() => run('argon2id', parameters))
      return timingSafeEqual(found, expected)
    },
    isOutdated: (hash) => !hash.startsWith(prefix),
  }
}

/** A text has several spellings in Unicode; two keyboards may differ in theirs. */
function makeParameters(password: string, salt: Buffer): Argon2Parameters {
  return {
    message: password.normalize('NFKC'),
    nonce: salt,
    parallelism,
    tagLength: hashBytes,
    memory: memoryKib,
    passes,
  }
}

function format(salt: Buffer, hash: Buffer): string {
  return `${prefix}${plain(salt)}$${plain(hash)}`
}

function plain(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

function parse(password: string, hash: string): { parameters: Argon2Parameters; expected: Buffer } {
  const [, memory, times, parallel, salt, tag] = stored.exec(hash) ?? []
  if (salt === undefined || tag === undefined) throw new Error('a stored password hash is damaged')
  const expected = Buffer.from(tag, 'base64')
  const parameters = {
    ...makeParameters(password, Buffer.from(salt, 'base64')),
    memory: Number(memory),
    passes: Number(times),
    parallelism: Number(parallel),
    tagLength: expected.length,
  }
  return { parameters, expected }
}

/**
 * Checks of passwords of nobody: they only take their time, so past a share of the slots one more
 * waits for one that is under way, and who signs in is not kept waiting by made-up addresses.
 */
function createDummies() {
  let running = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (work: () => Promise<unknown>): Promise<void> => {
    if (running < limits.passwordChecksUnknownMax) {
      running += 1
      last = work().finally(() => {
        running -= 1
      })
    }
    await last
  }
}

/** Bounded concurrency with a bounded queue, first come first served. */
function createSlots() {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < limits.passwordChecksMax) {
      running += 1
      return
    }
    if (waiting.length >= limits.passwordChecksWaitingMax) throw tooMany()
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** The slot goes to the next in the queue, or becomes free. */
  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async take<Result>(work: () => Promise<Result>): Promise<Result> {
      await enter()
      return work().finally(leave)
    },
  }
}

function tooMany(): Fault {
  const options = { retryAfterS: limits.retryAfterS }
  return new Fault('overloaded', 'Too many passwords are being checked. Try again.', options)
}
