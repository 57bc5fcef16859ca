const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extended = '^{}\\[~]|€\f'

const costs = new Map<string, number>([
  ...[...basic].map((letter) => [letter, 1] as const),
  ...[...extended].map((letter) => [letter, 2] as const),
])

const gsm7 = { encoding: 'GSM-7', alone: 160, chained: 153 } as const
const ucs2 = { encoding: 'UCS-2', alone: 70, chained: 67 } as const

export type Segments = {
  readonly encoding: 'GSM-7' | 'UCS-2'
  /** Septets, or units of 16 bits. */
  readonly units: number
  readonly segments: number
}

/** Counts the messages that a text costs. No letter is cut in two between them. */
export function countSegments(text: string): Segments {
  const letters = [...text]
  const { encoding, alone, chained } = letters.every((one) => costs.has(one)) ? gsm7 : ucs2
  const cost = (one: string) => (encoding === 'GSM-7' ? (costs.get(one) ?? 1) : one.length)
  const units = letters.reduce((sum, one) => sum + cost(one), 0)
  if (units <= alone) return { encoding, units, segments: units === 0 ? 0 : 1 }
  let segments = 1
  let room = chained
  for (const one of letters) {
    if (cost(one) > room) {
      segments += 1
      room = chained
    }
    room -= cost(one)
  }
  return { encoding, units, segments }
}
