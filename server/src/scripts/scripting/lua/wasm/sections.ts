import { ByteReader, unsigned } from './bytes.ts'

export const sectionIds = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  code: 10,
  data: 11,
} as const

export type Section = { readonly id: number; readonly body: Uint8Array }

const headBytes = 8
const head = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

export function readSections(binary: Uint8Array): Section[] {
  if (head.some((byte, at) => binary[at] !== byte)) throw new Error('not WebAssembly, version 1')
  const reader = new ByteReader(binary, headBytes)
  const sections = []
  while (reader.at < binary.length) {
    const id = reader.byte()
    const length = reader.unsigned()
    sections.push({ id, body: binary.subarray(reader.at, reader.at + length) })
    reader.skip(length)
  }
  if (reader.at !== binary.length) throw new Error('the last section is cut off')
  return sections
}

export function writeSections(sections: readonly Section[]): Uint8Array {
  const parts = sections.map(({ id, body }) => [Uint8Array.of(id, ...unsigned(body.length)), body])
  return Buffer.concat([Uint8Array.from(head), ...parts.flat()])
}

export function findSection(sections: readonly Section[], name: keyof typeof sectionIds): Section {
  const found = sections.filter(({ id }) => id === sectionIds[name])
  const [section] = found
  if (section === undefined || found.length > 1) throw new Error(`no one ${name} section`)
  return section
}
