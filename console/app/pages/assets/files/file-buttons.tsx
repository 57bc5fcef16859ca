import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ExportFilter, exportAssets } from '../../../api/asset-files.ts'
import { later } from '../../../components/dialogs/later.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { saveFile } from '../../../ui/files.ts'
import { useMay } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const ImportDialog = later(async () => (await import('./import-dialog.tsx')).ImportDialog)

const texts = defineTexts(
  { in: 'Import', out: 'Export as CSV' },
  { de: { in: 'Importieren', out: 'Als CSV exportieren' } },
)

type Props = {
  /** That of the list: the file has all its pages. */
  readonly filter: ExportFilter
}

/** Assets as a CSV file: those that the list shows, and the import of one. */
export function FileButtons({ filter }: Props) {
  const t = useTexts(texts)
  const mayChange = useMay('Asset Management')
  const [isImporting, setImporting] = useState(false)
  const { isBusy, error, run } = useChange<ExportFilter>(async (client, wanted) =>
    saveFile('assets.csv', 'text/csv', await exportAssets(client, wanted)),
  )
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="download" size={14} />}
        loading={isBusy}
        onClick={() => run(filter)}
      >
        {t.out}
      </Button>
      {mayChange && (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="up" size={14} />}
          onClick={() => setImporting(true)}
        >
          {t.in}
        </Button>
      )}
      {error !== null && <Trouble error={error} />}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  )
}
