import fc from 'fast-check'

/** A change of bytes at a place that is a share of their length. */
type Mutation = {
  readonly kind: 'flip' | 'remove' | 'insert' | 'repeat' | 'word' | 'cut'
  readonly at: number
  readonly length: number
  readonly byte: number
  readonly word: string
}

const repeatsMax = 2_000

function arbitraryMutation(words: readonly string[]): fc.Arbitrary<Mutation> {
  return fc.record({
    kind: fc.constantFrom('flip', 'remove', 'insert', 'repeat', 'word', 'cut'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: repeatsMax })),
    byte: fc.integer({ min: 0, max: 255 }),
    word: fc.constantFrom(...words),
  })
}

function mutated(bytes: Buffer, { kind, at, length, byte, word }: Mutation): Buffer {
  const from = Math.floor(at * bytes.length)
  const to = Math.min(bytes.length, from + length)
  const [before, piece, after] = [
    bytes.subarray(0, from),
    bytes.subarray(from, to),
    bytes.subarray(to),
  ]
  if (kind === 'flip') return Buffer.concat([before, piece.map((one) => one ^ byte), after])
  if (kind === 'remove') return Buffer.concat([before, after])
  if (kind === 'insert') return Buffer.concat([before, Buffer.alloc(length, byte), piece, after])
  if (kind === 'word') return Buffer.concat([before, Buffer.from(word), piece, after])
  if (kind === 'cut') return before
  return Buffer.concat([before, ...Array(length).fill(piece.subarray(0, 16)), piece, after])
}

/** Draws inputs near to the seeds: some mutations of one of them, at most so many bytes. */
export function near(
  seeds: readonly (string | Buffer)[],
  words: readonly string[],
  bytesMax: number,
): fc.Arbitrary<Buffer> {
  const begun = fc.constantFrom(...seeds.map((seed) => Buffer.from(seed as string)))
  const changes = fc.array(arbitraryMutation(words), { minLength: 1, maxLength: 6 })
  return fc
    .tuple(begun, changes)
    .map(([bytes, all]) => all.reduce(mutated, bytes).subarray(0, bytesMax))
}
