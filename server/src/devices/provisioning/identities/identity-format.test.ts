import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../foundation/kernel/index.ts'
import {
  anyIdentity,
  checkIdentity,
  type IdentityFormat,
  parseIdentityFormat,
  refuseIdentity,
} from './identity-format.ts'

const good = (part: Partial<IdentityFormat>, identity: string) =>
  assert.equal(checkIdentity({ ...anyIdentity, ...part }, identity), undefined, identity)
const bad = (part: Partial<IdentityFormat>, identity: string, says: RegExp) =>
  assert.match(checkIdentity({ ...anyIdentity, ...part }, identity) ?? 'accepted', says, identity)

describe('an identity of any format', () => {
  it('has 1 to 512 characters, counted as a person counts them', () => {
    good({}, 'a')
    good({}, 'a'.repeat(limits.identityCharsMax))
    good({}, '🙂'.repeat(limits.identityCharsMax))
    bad({}, '', /empty/)
    bad({}, 'a'.repeat(limits.identityCharsMax + 1), /at most 512/)
    bad({}, '🙂'.repeat(limits.identityCharsMax + 1), /at most 512/)
    bad({}, 'a'.repeat(10_000), /at most 512/)
  })

  it('holds no control character, NUL first of all, and no half of a character', () => {
    for (const one of ['a\0', '\0', 'a\nb', '\r', '\t', '\x1b', '\x7f', '\u0085']) {
      bad({}, one, /control/)
    }
    bad({}, 'a\ud800', /well-formed/)
  })

  it('may be anything else', () => {
    for (const one of ['../../etc', "a' or 1=1", 'é', '%', ' ', 'a&b=c']) good({}, one)
  })
})

describe('an identity format', () => {
  it('prefix: every identity must start with it, and go on', () => {
    good({ prefix: 'AC-' }, 'AC-1')
    bad({ prefix: 'AC-' }, 'ac-1', /start with AC-/)
    bad({ prefix: 'AC-' }, 'XAC-1', /start with AC-/)
    bad({ prefix: 'AC-' }, 'AC-', /after the prefix/)
  })

  it('length: the prefix does not count toward it', () => {
    good({ prefix: 'AC-', length: 4 }, 'AC-1234')
    bad({ prefix: 'AC-', length: 4 }, 'AC-123', /4 characters/)
    bad({ prefix: 'AC-', length: 4 }, 'AC-12345', /4 characters/)
    good({ length: null }, 'of any length')
  })

  it('number: digits and nothing else', () => {
    good({ type: 'number' }, '0012345678901234567890')
    for (const one of ['-1', '1.0', '1e3', '0x1', ' 1', '１', 'a']) {
      bad({ type: 'number' }, one, /digits/)
    }
  })

  it('length: characters as a person counts them, and not UTF-16 units', () => {
    good({ length: 4 }, '👩🏭🔧🔩')
    bad({ length: 4 }, '👩🏭', /4 characters/)
    bad({ length: 8 }, '👩🏭🔧🔩', /8 characters/)
    good({ length: 2, prefix: '🏭' }, '🏭🔧x')
    const most = limits.identityCharsMax
    good({}, '🔧'.repeat(most))
    bad({}, '🔧'.repeat(most + 1), /at most 512 characters/)
    good({ prefix: '🏭'.repeat(most - 2), length: 2 }, `${'🏭'.repeat(most - 2)}🔧x`)
    const prefix = '🏭'.repeat(most / 2)
    assert.equal(parseIdentityFormat({ prefix, length: most / 2 }, anyIdentity).prefix, prefix)
    const longer = { prefix, length: most / 2 + 1 }
    assert.throws(() => parseIdentityFormat(longer, anyIdentity), { message: /more than 512/ })
  })

  it('length 0 and casing mixed stand for any', () => {
    const format = parseIdentityFormat({ length: 0, casing: 'mixed' }, anyIdentity)
    assert.deepEqual([format.length, format.casing], [0, 'mixed'])
    good(format, 'aB')
    good({ ...format, type: 'uuid' }, '9f3c0a4e-8d2b-4c1f-a5e6-0123456789AB')
    assert.equal(parseIdentityFormat({ length: 0, type: 'uuid' }, anyIdentity).length, 0)
  })

  it('MAC addresses: with colons, with dashes, plain', () => {
    good({ type: 'mac_colon' }, '00:1b:44:11:3A:B7')
    good({ type: 'mac_dash' }, '00-1b-44-11-3A-B7')
    good({ type: 'mac_plain' }, '001b44113AB7')
    for (const one of ['00-1b-44-11-3a-b7', '00:1b:44:11:3a', '00:1b:44:11:3a:b7:00']) {
      bad({ type: 'mac_colon' }, one, /MAC/)
    }
    bad({ type: 'mac_dash' }, '00:1b:44:11:3a:b7', /MAC/)
    bad({ type: 'mac_plain' }, '001b44113ab', /MAC/)
    bad({ type: 'mac_plain' }, '001b44113abg', /MAC/)
  })

  it('uuid: version 4 with its variant', () => {
    good({ type: 'uuid' }, '9f3c0a4e-8d2b-4c1f-a5e6-0123456789ab')
    bad({ type: 'uuid' }, '9f3c0a4e-8d2b-1c1f-a5e6-0123456789ab', /UUID/)
    bad({ type: 'uuid' }, '9f3c0a4e-8d2b-4c1f-c5e6-0123456789ab', /UUID/)
    bad({ type: 'uuid' }, '9f3c0a4e8d2b4c1fa5e60123456789ab', /UUID/)
  })

  it('casing: of what comes after the prefix', () => {
    good({ type: 'mac_plain', casing: 'upper' }, '001B44113AB7')
    bad({ type: 'mac_plain', casing: 'upper' }, '001b44113AB7', /upper/)
    good({ type: 'mac_plain', casing: 'lower', prefix: 'AC' }, 'AC001b44113ab7')
    bad({ type: 'mac_plain', casing: 'lower' }, '001B44113ab7', /lower/)
  })
})

describe('an identity format, whatever its settings and the text', () => {
  it('is refused where it is not one, or where nothing could conform', () => {
    const refused: [unknown, RegExp][] = [
      [null, /object/],
      [[], /object/],
      [{ prefix: 3 }, /prefix must be a string/],
      [{ prefix: 'a\0' }, /control/],
      [{ prefix: 'a'.repeat(limits.identityCharsMax) }, /at most 511/],
      [{ prefix: 'a'.repeat(limits.identityCharsMax - 1), length: 2 }, /more than 512/],
      [{ prefix: 'a'.repeat(480), type: 'uuid' }, /more than 512/],
      [{ type: 'mac' }, /one of opaque/],
      [{ casing: 'Upper' }, /one of any/],
      [{ length: -1 }, /from 0/],
      [{ length: 1.5 }, /whole/],
      [{ length: '4' }, /whole/],
      [{ type: 'uuid', length: 4 }, /36/],
      [{ colour: 'red' }, /no field/],
    ]
    for (const [input, says] of refused) {
      assert.throws(() => parseIdentityFormat(input, anyIdentity), { message: says })
    }
  })

  it('accepts what was made to conform, and nothing with a letter changed for a sign', () => {
    const hex = fc.stringMatching(/^[0-9a-fA-F]{2}$/)
    fc.assert(
      fc.property(
        fc.array(hex, { minLength: 6, maxLength: 6 }),
        fc.constantFrom<[IdentityFormat['type'], string]>(
          ['mac_colon', ':'],
          ['mac_dash', '-'],
          ['mac_plain', ''],
        ),
        fc.nat(11),
        (bytes, [type, separator], at) => {
          const mac = bytes.join(separator)
          good({ type }, mac)
          bad({ type }, `${mac.slice(0, at)}_${mac.slice(at + 1)}`, /MAC/)
        },
      ),
    )
  })

  it('never throws and never runs long, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        for (const type of ['opaque', 'number', 'mac_colon', 'uuid'] as const) {
          const refusal = checkIdentity({ ...anyIdentity, type }, text)
          assert.ok(refuseIdentity(text) === undefined || refusal !== undefined)
        }
      }),
    )
  })
})
