import type { Client } from '../api/client.ts'
import { useChange } from '../ui/change.ts'
import { saveFile } from '../ui/files.ts'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { Action } from './controls/action.tsx'
import { Trouble } from './trouble.tsx'

const texts = defineTexts({
  out: ['Export as CSV', 'Als CSV exportieren'],
})

type Props = {
  /** The name of the file. */
  readonly name: string
  readonly read: (client: Client) => Promise<string>
}

/** Gives the reader a CSV file to save. */
export function ExportButton({ name, read }: Props) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<Props['read']>(async (client, wanted) =>
    saveFile(name, 'text/csv', await wanted(client)),
  )
  return (
    <>
      <Action text={t.out} icon="download" busy={isBusy} onClick={() => run(read)} />
      {error !== null && <Trouble error={error} />}
    </>
  )
}
