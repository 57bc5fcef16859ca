import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Fault, systemRandom } from '../../../foundation/kernel/index.ts'
import { openSecrets } from './secrets.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'millrace-secrets-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function refuses(act: () => unknown, says: RegExp): void {
  assert.throws(act, (error: unknown) => {
    assert(error instanceof Fault, String(error))
    assert.equal(error.code, 'secret_unreadable')
    assert.match(error.detail, says)
    return true
  })
}

const random = systemRandom

describe('secrets at rest', () => {
  it('opens what it sealed, also in another process, and the text is not in it', (t) => {
    const dir = folder(t)
    const text = 'api key 🙂 \u0000 ü'
    const sealed = openSecrets({ dir, random }).seal(text, 'vendor/c1')
    assert.equal(openSecrets({ dir, random }).open(sealed, 'vendor/c1'), text)
    assert.ok(!sealed.includes('api'))
    const { seal, open } = openSecrets({ dir, random })
    assert.notEqual(seal('same'), seal('same'))
    assert.equal(open(seal('')), '')
  })

  it('makes its key at the first use: 0600, whole, and nothing is left beside it', (t) => {
    const dir = join(folder(t), 'new', 'data')
    const { seal } = openSecrets({ dir, random })
    assert.throws(() => statSync(dir))
    seal('a')
    assert.deepEqual(readdirSync(dir), ['instance.key'])
    assert.equal(statSync(join(dir, 'instance.key')).mode & 0o777, 0o600)
    assert.match(readFileSync(join(dir, 'instance.key'), 'utf8'), /^[0-9a-f]{64}\n$/)
  })

  it('leaves one key when two begin together', (t) => {
    const dir = folder(t)
    const one = openSecrets({ dir, random })
    // The second makes its key at the very moment when the first is about to link its own.
    let second: ReturnType<typeof openSecrets> | undefined
    let theirs = ''
    const two = openSecrets({
      dir,
      random(bytes) {
        if (second === undefined) {
          second = one
          theirs = one.seal('first')
        }
        return systemRandom(bytes)
      },
    })
    const ours = two.seal('second')
    assert.equal(two.open(theirs), 'first')
    assert.equal(one.open(ours), 'second')
    assert.deepEqual(readdirSync(dir), ['instance.key'])
  })

  it('refuses each changed character', (t) => {
    const { seal, open } = openSecrets({ dir: folder(t), random })
    const sealed = seal('secret', 'c')
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`
      refuses(() => open(changed, 'c'), /./)
    }
    for (const part of [sealed.slice(0, -1), '', 'm1', 'm1.00000000.', `${sealed}\n`, 'secret']) {
      refuses(() => open(part, 'c'), /./)
    }
  })

  it('refuses a secret in the place of another', (t) => {
    const { seal, open } = openSecrets({ dir: folder(t), random })
    refuses(() => open(seal('secret', 'vendor/c1'), 'vendor/c2'), /belongs to something else/)
    refuses(() => open(seal('secret', 'vendor/c1')), /belongs to something else/)
  })

  it('reports that the key is missing, and creates none then', (t) => {
    const dir = folder(t)
    const sealed = openSecrets({ dir, random }).seal('secret')
    rmSync(join(dir, 'instance.key'))
    refuses(
      () => openSecrets({ dir, random }).open(sealed),
      /instance\.key is missing.*Put the file back from your backup/,
    )
    assert.deepEqual(readdirSync(dir), [])
  })

  it('reports that the key is another one, or none at all', (t) => {
    const dir = folder(t)
    const sealed = openSecrets({ dir, random }).seal('secret')
    refuses(
      () => openSecrets({ dir: folder(t), random, key: 'ab'.repeat(32) }).open(sealed),
      /key here is/,
    )
    for (const text of ['', 'x', 'zz'.repeat(32), 'ab'.repeat(33)]) {
      writeFileSync(join(dir, 'instance.key'), text)
      refuses(() => openSecrets({ dir, random }).open(sealed), /does not hold an instance key/)
      refuses(() => openSecrets({ dir, random }).seal('a'), /does not hold an instance key/)
    }
  })

  it('takes a key that is given, and then touches no file', (t) => {
    const dir = folder(t)
    const key = 'AB'.repeat(32)
    const sealed = openSecrets({ dir, random, key }).seal('secret')
    assert.equal(openSecrets({ dir, random, key: `${key.toLowerCase()}\n` }).open(sealed), 'secret')
    assert.deepEqual(readdirSync(dir), [])
    refuses(() => openSecrets({ dir, random, key: 'short' }), /MILLRACE_INSTANCE_KEY/)
  })
})
