import { FileInput } from '@mantine/core'
import { ApiError, type Problem } from '@millrace/client'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createDashboard, type DashboardDocument } from '../../api/dashboards/dashboards.ts'
import { LongField } from '../../components/controls/fields.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { useChange } from '../../ui/change.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ProblemList } from '../marketplace/problem-list.tsx'

const texts = defineTexts({
  title: ['Import a dashboard', 'Dashboard importieren'],
  choose: ['dashboard.json', 'dashboard.json'],
  document: ['Document', 'Dokument'],
  hint: ['JSON, as a dashboard is exported.', 'JSON, wie ein Dashboard exportiert wird.'],
  noJson: ['This is no JSON object.', 'Das ist kein JSON-Objekt.'],
  faults: ['Faults of the document', 'Fehler des Dokuments'],
})

/** Makes a dashboard of a document, with each fault at its line. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [isJson, setJson] = useState(true)
  const make = useChange<DashboardDocument>(async (client, body) => {
    const { id } = await createDashboard(client, body)
    await navigate({ to: '/dashboards/$dashboard', params: { dashboard: id } })
  })
  const become = (next: string) => {
    make.reset()
    setJson(true)
    setText(next)
  }
  const submit = () => {
    const document = parsed(text)
    setJson(document !== undefined)
    if (document !== undefined) make.run(document)
  }
  const problems = listProblems(make.error)
  return (
    <FormDialog
      title={t.title}
      action={t.import}
      isBusy={make.isBusy}
      error={problems.length > 0 ? null : make.error}
      onSubmit={submit}
      onClose={onClose}
      size="lg"
    >
      <FileInput
        label={t.file}
        placeholder={t.choose}
        accept="application/json,.json"
        onChange={async (file) => file !== null && become(await file.text())}
      />
      <LongField
        label={t.document}
        description={t.hint}
        value={text}
        error={isJson ? undefined : t.noJson}
        rows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        size="sm"
        onChange={become}
      />
      {problems.length > 0 && (
        <div role="alert">
          <ProblemList label={t.faults} problems={problems} text={text} />
        </div>
      )}
    </FormDialog>
  )
}

function parsed(text: string): DashboardDocument | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as DashboardDocument) : undefined
  } catch {
    return undefined
  }
}

/** A refusal by the schema begins with the place of its one fault: `panels[1].width must be …`. */
function listProblems(error: Error | null): readonly Problem[] {
  if (!(error instanceof ApiError)) return []
  if (error.problems.length > 0) return error.problems
  const place = /^[\w]+(?:\[\d+\]|\.\w+)*(?= )/.exec(error.message)?.[0]
  if (error.code !== 'invalid_argument' || place === undefined) return []
  const pointer = `/${place.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`
  return [{ pointer, detail: error.message }]
}
