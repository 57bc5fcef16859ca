import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  timingSafeEqual as sameBytes,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileOnce, exactText, Fault, type Random } from '../../../foundation/kernel/index.ts'

/** Secrets that must be sent on, so that a hash will not do. */
export type Secrets = {
  /**
   * Encrypts a text for storing. `context` says what it is and whose; it is not kept, and who
   * opens must say the same, so that one row's secret put into another row does not open.
   * @throws Fault `secret_unreadable` where the instance key is there but cannot be used.
   */
  seal(text: string, context?: string): string
  /** @throws Fault `secret_unreadable` with the reason. */
  open(sealed: string, context?: string): string
  /**
   * A text by which two processes compare their instance keys, and which says nothing about the
   * key. Makes the key where there is none.
   * @throws Fault `secret_unreadable` where the instance key is there but cannot be used.
   */
  check(): string
  /** Returns whether there is no key: the next `seal` or `check` makes one. */
  isMissing(): boolean
}

export type SecretsOptions = {
  /** The instance's data directory; the key is its file `instance.key`. */
  readonly dir: string
  readonly random: Random
  /** The key as 64 hexadecimal characters, where it does not come from the file. */
  readonly key?: string | undefined
}

type Key = { readonly bytes: Buffer; readonly id: string }

const cipher = 'aes-256-gcm'
const version = 'm1'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const keyIdChars = 8

/**
 * Encryption at rest with the key of the instance: AES-256-GCM, a new random nonce each time.
 * Sealed: `m1.<key's id>.<base64url of nonce, ciphertext, tag>`. The key is made when something is
 * sealed for the first time; opening never makes one, because it could not be the right one.
 */
export function openSecrets({ dir, random, key: given }: SecretsOptions): Secrets {
  const file = join(dir, 'instance.key')
  let known = given === undefined ? undefined : parseKey(given, 'MILLRACE_INSTANCE_KEY')

  function existing(): Key | undefined {
    known ??= readKey(file)
    return known
  }

  function makeKey(): Key {
    known = writeKey(file, random)
    return known
  }

  return {
    seal(text, context = '') {
      const key = existing() ?? makeKey()
      const nonce = random(nonceBytes)
      const sealing = createCipheriv(cipher, key.bytes, nonce).setAAD(Buffer.from(context))
      const parts = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]
      return `${version}.${key.id}.${Buffer.concat(parts).toString('base64url')}`
    },
    open(sealed, context = '') {
      const { keyId, bytes } = parseSealed(sealed)
      const key = existing()
      if (key === undefined) {
        throw unreadable(
          `The instance key ${file} is missing, and what was stored with it cannot be read. ` +
            'Put the file back from your backup.',
        )
      }
      if (!sameBytes(Buffer.from(keyId), Buffer.from(key.id))) {
        throw unreadable(
          `This was stored with the instance key ${keyId}, and the key here is ${key.id}. ` +
            'Put the first one back from your backup.',
        )
      }
      return decrypt(key, bytes, context)
    },
    check() {
      const { bytes } = existing() ?? makeKey()
      return createHmac('sha256', bytes).update('millrace same instance key').digest('hex')
    },
    isMissing: () => existing() === undefined,
  }
}

function decrypt(key: Key, bytes: Buffer, context: string): string {
  const opening = createDecipheriv(cipher, key.bytes, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  opening.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
  try {
    const start = opening.update(bytes.subarray(nonceBytes, -tagBytes))
    return exactText(Buffer.concat([start, opening.final()]))
  } catch (error) {
    const why = 'What was stored encrypted was changed, or belongs to something else.'
    throw unreadable(why, error)
  }
}

function parseSealed(sealed: string): { keyId: string; bytes: Buffer } {
  const [, keyId = '', text = ''] = /^m1\.([0-9a-f]{8})\.([\w-]+)$/.exec(sealed) ?? []
  const bytes = Buffer.from(text, 'base64url')
  const canonical = bytes.toString('base64url') === text
  if (keyId === '' || !canonical || bytes.length < nonceBytes + tagBytes) {
    throw unreadable('What was stored is not in the form of an encrypted secret.')
  }
  return { keyId, bytes }
}

function parseKey(text: string, where: string): Key {
  const hex = text.trim()
  if (hex.length !== keyBytes * 2 || !/^[0-9a-f]+$/i.test(hex)) {
    throw unreadable(`${where} does not hold an instance key: ${keyBytes * 2} hexadecimal digits.`)
  }
  const bytes = Buffer.from(hex, 'hex')
  const id = createHash('sha256').update('millrace instance key').update(bytes).digest('hex')
  return { bytes, id: id.slice(0, keyIdChars) }
}

function readKey(file: string): Key | undefined {
  try {
    return parseKey(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof Fault) throw error
    throw unreadable(`The instance key ${file} cannot be read.`, error)
  }
}

/** If several processes begin together, one key wins, which all of them use. */
function writeKey(file: string, random: Random): Key {
  return parseKey(createFileOnce(file, `${random(keyBytes).toString('hex')}\n`, 0o600), file)
}

function unreadable(sentence: string, cause?: unknown): Fault {
  return new Fault('secret_unreadable', sentence, { cause })
}
