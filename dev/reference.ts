import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from './reference/pages.ts'

/** `npm run reference`: generates the pages of docs/reference that come from schemas. */
for (const [path, text] of referencePages()) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
}
