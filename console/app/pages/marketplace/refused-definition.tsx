import { ApiError } from '@millrace/client'
import { Part } from '../../components/controls/part.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ProblemList } from './problem-list.tsx'

const texts = defineTexts({
  faults: (count: number) => [
    `${count} ${count === 1 ? 'fault' : 'faults'} in the definition`,
    `${count} Fehler in der Definition`,
  ],
})

type Props = {
  readonly error: Error
  /** The definition that was sent; empty if it came from a URL. */
  readonly text: string
}

/** Every fault of a definition at its place; nothing for another error. */
export function RefusedDefinition({ error, text }: Props) {
  const t = useTexts(texts)
  if (!(error instanceof ApiError) || error.problems.length === 0) return null
  const title = t.faults(error.problems.length)
  return (
    <Part title={title}>
      <ProblemList label={title} problems={error.problems} text={text} />
    </Part>
  )
}
