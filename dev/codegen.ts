import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './codegen/files.ts'

/** `npm run codegen`: generates the types of resolvers and of the console's documents. */
for (const [path, text] of await generatedFiles()) {
  const file = join(import.meta.dirname, '..', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
