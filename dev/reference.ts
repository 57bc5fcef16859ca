import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generateClient } from '../client/generate.ts'
import { referencePages } from './reference/pages.ts'

/** `npm run reference`: generates the pages of docs/reference that come from schemas. */
for (const [path, text] of await referencePages()) {
  await mkdir(dirname(join(import.meta.dirname, '..', path)), { recursive: true })
  writeFileSync(join(import.meta.dirname, '..', path), text)
}
for (const [file, text] of await generateClient()) {
  await mkdir(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
