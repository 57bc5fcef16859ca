import type { components } from '@millrace/client'
import { columns, type Output } from './output.ts'

/** The options of a command that deletes what others may depend on. */
export const deletionOptions = {
  confirm: { meaning: 'Its name or id: needed if anything depends on it, which is listed.' },
  'dry-run': { meaning: 'Print what depends on it, and delete nothing.', flag: true },
} as const

/** Prints what depends on something: its kind, what becomes of it, how many there are, and some. */
export function showPreview(out: Output, preview: components['schemas']['DeletionPreview']): void {
  const { name, dependants } = preview
  out.show(preview, () =>
    dependants.length === 0
      ? [`nothing depends on ${name}`]
      : columns(
          dependants.map(({ kind, effect, count, names }) => {
            const left = count - names.length
            const more = left > 0 && names.length > 0 ? ` and ${left} more` : ''
            return [kind.replaceAll('_', ' '), effect, String(count), names.join(', ') + more]
          }),
        ),
  )
}
