import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import { listScripts, putScript, type ScriptLine } from '../../../api/solutions.ts'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { Faint } from '../../../components/line.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { ScriptPane } from './script-pane.tsx'

const texts = defineTexts({
  title: ['Scripts', 'Skripte'],
  add: ['New script', 'Neues Skript'],
  nameAbout: [
    '<service>_<event> for a handler, <METHOD> /path for an endpoint, <file>.lua for a script ' +
      'that runs at the start, or a.b for a module.',
    '<dienst>_<ereignis> für einen Handler, <METHODE> /pfad für einen Endpunkt, <datei>.lua ' +
      'für ein Skript, das beim Start läuft, oder a.b für ein Modul.',
  ],
  nameWanted: ['A script needs a name.', 'Ein Skript braucht einen Namen.'],
  none: [
    'There is no script yet. A handler runs at each event of a service of the solution.',
    'Es gibt noch kein Skript. Ein Handler läuft bei jedem Ereignis eines Dienstes.',
  ],
  handler: ['handler', 'Handler'],
  endpoint: ['endpoint', 'Endpunkt'],
  module: ['module', 'Modul'],
  plain: ['runs at the start', 'läuft beim Start'],
})

const route = getRouteApi('/solutions/$solution/{-$view}')
const scriptKey = ({ kind, name }: Pick<ScriptLine, 'kind' | 'name'>) => `${kind} ${name}`

/** The scripts of a solution, and the chosen one in an editor. */
export function ScriptsView({ solution: { id } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const [isAdding, setAdding] = useState(false)
  const chosen = route.useSearch()
  const navigate = route.useNavigate()
  const scripts = useRead('scripts', listScripts, [id])
  const script = scripts.data?.find(
    ({ kind, name }) => kind === chosen.kind && name === chosen.name,
  )
  return (
    <>
      <ChoicePane
        title={t.title}
        query={scripts}
        aside={<Action text={t.add} onClick={() => setAdding(true)} />}
        none={t.none}
        itemKey={scriptKey}
        chosen={script && scriptKey(script)}
        onChoose={(key) => {
          const next = scripts.data?.find((one) => scriptKey(one) === key)
          if (next !== undefined) navigate({ search: { kind: next.kind, name: next.name } })
        }}
        beside={script && <ScriptPane key={scriptKey(script)} solution={id} line={script} />}
      >
        {({ kind, name }) => (
          <>
            <span>{name}</span>
            <Faint>{t[kind]}</Faint>
          </>
        )}
      </ChoicePane>
      {isAdding && <NewScriptDialog solution={id} onClose={() => setAdding(false)} />}
    </>
  )
}

type NewProps = { readonly solution: string; readonly onClose: () => void }

function NewScriptDialog({ solution, onClose }: NewProps) {
  const t = useTexts(texts)
  const navigate = route.useNavigate()
  return (
    <FieldsDialog
      title={t.add}
      action={t.create}
      fields={[
        {
          name: 'name',
          label: t.name,
          description: t.nameAbout,
          fault: (name) => name === '' && t.nameWanted,
        },
      ]}
      send={async (client, wanted) => {
        const { kind, name } = await putScript(client, solution, wanted, `-- ${wanted.name}\n`)
        await navigate({ search: { kind, name } })
      }}
      onClose={onClose}
    />
  )
}
