import { operationsPage } from './operations.ts'

/** The generated pages by their paths. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([['docs/reference/operations.md', operationsPage()]])
}
