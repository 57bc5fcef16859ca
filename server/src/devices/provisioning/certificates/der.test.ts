import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { provisioningLimits } from '../limits.ts'
import {
  type Encoding,
  readBits,
  readElementAlone,
  readElements,
  readObjectId,
  tags,
} from './der.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const refuses = (act: () => unknown, name: string) =>
  assert.throws(act, { code: 'malformed_request' }, name)

/** An element whose length takes so many octets after the first one. */
function sized(length: number, octets: number): Buffer {
  const written = Buffer.alloc(octets)
  if (octets > 0) written.writeUIntBE(length, 0, octets)
  const first = octets === 0 ? length : 0x80 + octets
  return Buffer.concat([Buffer.from([0x04, first]), written, Buffer.alloc(length, 7)])
}

describe('the elements of an ASN.1 encoding', () => {
  it('fill the bytes exactly, in their order', () => {
    const found = readElements(bytes('0201 05 0500 3003 020107'))
    const read = found.map(({ tag, content, bytes: whole }) => [
      ...[tag, content.toString('hex'), whole.toString('hex')],
    ])
    assert.deepEqual(read, [
      [tags.integer, '05', '020105'],
      [tags.null, '', '0500'],
      [tags.sequence, '020107', '3003020107'],
    ])
    assert.deepEqual(readElements(Buffer.alloc(0)), [])
    for (const hex of ['02', '0201', '020105 02', '020105 0201', '0202 05']) {
      refuses(() => readElements(bytes(hex)), hex)
    }
  })

  it('have a length in as few octets as it needs, at most three', () => {
    const lengths: [length: number, octets: number][] = [
      ...([0, 1, 0x7f] as const).map((length): [number, number] => [length, 0]),
      ...([0x80, 0xff] as const).map((length): [number, number] => [length, 1]),
      ...([0x1_00, 0xff_ff] as const).map((length): [number, number] => [length, 2]),
      ...([0x1_00_00, 0x1_02_03] as const).map((length): [number, number] => [length, 3]),
    ]
    for (const [length, octets] of lengths) {
      const [element, ...rest] = readElements(sized(length, octets))
      assert.equal(element?.content.length, length)
      assert.equal(element?.bytes.length, 2 + octets + length)
      assert.equal(rest.length, 0)
      refuses(() => readElements(sized(length, octets + 1)), `${length} in ${octets + 1}`)
    }
    refuses(() => readElements(bytes('0484 01000000')), 'four octets')
    refuses(() => readElements(bytes('0482 01')), 'a length that is cut off')
    refuses(() => readElements(bytes('0481')), 'a length that is missing')
    refuses(() => readElements(sized(0x1_00, 2).subarray(0, -1)), 'content that is cut off')
  })

  it('have a tag of one octet', () => {
    for (const hex of ['1f0100', '3f0100', '5f0100', 'ff0100']) {
      refuses(() => readElements(bytes(hex)), hex)
    }
    assert.equal(readElements(bytes('1e0100'))[0]?.tag, 0x1e)
  })

  it('are one of the expected tag, and nothing behind it', () => {
    assert.equal(readElementAlone(bytes('020105'), tags.integer).content[0], 5)
    for (const hex of ['', '040105', '020105 020105', '020105 0500']) {
      refuses(() => readElementAlone(bytes(hex), tags.integer), hex)
    }
  })
})

describe('a length that is left open', () => {
  const open: Encoding = { openLengths: true }
  const nested = (depth: number) => bytes(`${'3080'.repeat(depth)} 020105 ${'0000'.repeat(depth)}`)

  it('ends at two zeros, where it is allowed', () => {
    const [element, last, ...rest] = readElements(bytes('3080 020105 0500 0000 020107'), open)
    assert.equal(element?.content.toString('hex'), '0201050500')
    assert.equal(element?.bytes.toString('hex'), '308002010505000000')
    assert.equal(last?.bytes.toString('hex'), '020107')
    assert.equal(rest.length, 0)
    assert.equal(readElements(bytes('3080 0000'), open)[0]?.content.length, 0)
    assert.equal(readElementAlone(bytes('3080 0000'), tags.sequence, open).bytes.length, 4)
  })

  it('is refused where nobody allows it, without an end, and of what holds no parts', () => {
    for (const encoding of [{}, { openLengths: false }]) {
      refuses(() => readElements(bytes('3080 020105 0000'), encoding), 'not allowed')
    }
    for (const hex of ['3080', '3080 00', '3080 020105', '3080 020105 00', '0480 020105 0000']) {
      refuses(() => readElements(bytes(hex), open), hex)
    }
  })

  it(`lies in at most ${provisioningLimits.derDepthMax} others`, () => {
    const deepest = nested(provisioningLimits.derDepthMax + 1)
    assert.equal(readElements(deepest, open)[0]?.bytes.length, deepest.length)
    refuses(() => readElements(nested(provisioningLimits.derDepthMax + 2), open), 'one deeper')
  })
})

describe('what an element holds', () => {
  const only = (hex: string) => readElements(bytes(hex))[0] ?? assert.fail(hex)

  it('a string of bits has whole octets', () => {
    assert.equal(readBits(only('0303 00abcd')).toString('hex'), 'abcd')
    assert.equal(readBits(only('0301 00')).length, 0)
    for (const hex of ['0303 01abcd', '0303 07abcd', '0300', '0403 00abcd']) {
      refuses(() => readBits(only(hex)), hex)
    }
  })

  it('an object identifier has numbers, of which the first octets hold two', () => {
    const rows: [hex: string, text: string][] = [
      ['0601 00', '0.0'],
      ['0601 27', '0.39'],
      ['0601 28', '1.0'],
      ['0601 4f', '1.39'],
      ['0601 50', '2.0'],
      ['0602 8837', '2.999'],
      ['0603 551d14', '2.5.29.20'],
      ['0606 2a864886f70d', '1.2.840.113549'],
      ['0605 2a81ff7f01', '1.2.32767.1'],
      ['0604 2a818001', '1.2.16385'],
    ]
    for (const [hex, text] of rows) assert.equal(readObjectId(only(hex)), text)
  })

  it('an object identifier that is empty, cut off, too long or none is refused', () => {
    const long = (length: number) =>
      Buffer.concat([Buffer.from([tags.objectId, length]), Buffer.alloc(length, 1)])
    for (const hex of ['0600', '0602 2a86', '0601 80', '0403 551d14']) {
      refuses(() => readObjectId(only(hex)), hex)
    }
    const longest = only(long(provisioningLimits.objectIdBytesMax).toString('hex'))
    assert.equal(readObjectId(longest).split('.').length, provisioningLimits.objectIdBytesMax + 1)
    refuses(
      () => readObjectId(only(long(provisioningLimits.objectIdBytesMax + 1).toString('hex'))),
      'too long',
    )
  })
})
