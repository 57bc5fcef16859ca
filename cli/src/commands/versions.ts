import { wholeNumber } from '../input.ts'

/** The options of the commands that list, compare and restore versions of something. */
export const versionOptions = {
  list: {
    rows: { meaning: 'The most rows.', default: '50' },
    offset: { meaning: 'The number of versions to pass over.', default: '0' },
  },
  compare: {
    to: { meaning: 'The version to compare.', required: true },
    from: { meaning: 'The version with which it is compared. Default: the one before.' },
  },
  restore: {
    to: { meaning: 'The version to go back to.', required: true },
    current: { meaning: 'The newest version that was seen; refused if there is a newer one.' },
  },
} as const

/** The query of a list. @throws UsageError, as the others do. */
export function pageOf({ rows, offset }: { readonly rows: string; readonly offset: string }) {
  return { limit: wholeNumber('rows', rows), offset: wholeNumber('offset', offset) }
}

type Compared = { readonly to: string; readonly from?: string | undefined }

/** The version in a path, and the query of a comparison. */
export function comparedOf({ to, from }: Compared) {
  const query = from === undefined ? {} : { since: wholeNumber('from', from) }
  return { version: `${wholeNumber('to', to)}`, query }
}

type Restored = { readonly to: string; readonly current?: string | undefined }

/** The body of a restoration. */
export function restoredOf({ to, current }: Restored) {
  const seen = current === undefined ? {} : { current: wholeNumber('current', current) }
  return { version: wholeNumber('to', to), ...seen }
}
