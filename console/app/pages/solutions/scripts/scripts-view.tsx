import { TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import { listScripts, putScript, type ScriptLine } from '../../../api/solutions.ts'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Faint } from '../../../components/line.tsx'
import panes from '../../../components/panes.module.css'
import { useChange } from '../../../ui/change.ts'
import { useLive } from '../../../ui/live.ts'
import { textOf } from '../../../ui/submit.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { ScriptPane } from './script-pane.tsx'

const texts = defineTexts({
  title: ['Scripts', 'Skripte'],
  add: ['New script', 'Neues Skript'],
  create: ['Create', 'Anlegen'],
  name: ['Name', 'Name'],
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
const keyOf = ({ kind, name }: Pick<ScriptLine, 'kind' | 'name'>) => `${kind} ${name}`

function useOpen(solution: string) {
  const navigate = useNavigate()
  return ({ kind, name }: Pick<ScriptLine, 'kind' | 'name'>) =>
    navigate({
      to: '/solutions/$solution/{-$view}',
      params: { solution, view: 'scripts' },
      search: { kind, name },
    })
}

/** The scripts of a solution, and the chosen one in an editor. */
export function ScriptsView({ solution: { id } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const [isAdding, setAdding] = useState(false)
  const chosen = route.useSearch()
  const open = useOpen(id)
  const scripts = useLive(['scripts', id], (client, signal) => listScripts(client, id, signal))
  const script = scripts.data?.find(
    ({ kind, name }) => kind === chosen.kind && name === chosen.name,
  )
  return (
    <div className={`${panes.panes} ${panes.two}`}>
      <ChoicePane
        title={t.title}
        query={scripts}
        aside={<Action text={t.add} onClick={() => setAdding(true)} />}
        none={t.none}
        keyOf={keyOf}
        chosen={script && keyOf(script)}
        onChoose={(key) => {
          const next = scripts.data?.find((one) => keyOf(one) === key)
          if (next !== undefined) open(next)
        }}
      >
        {({ kind, name }) => (
          <>
            <span>{name}</span>
            <Faint>{t[kind]}</Faint>
          </>
        )}
      </ChoicePane>
      {script !== undefined && <ScriptPane key={keyOf(script)} solution={id} line={script} />}
      {isAdding && <NewScriptDialog solution={id} onClose={() => setAdding(false)} />}
    </div>
  )
}

type NewProps = { readonly solution: string; readonly onClose: () => void }

function NewScriptDialog({ solution, onClose }: NewProps) {
  const t = useTexts(texts)
  const open = useOpen(solution)
  const [wrong, setWrong] = useState<string>()
  const add = useChange<string>(async (client, name) => {
    const made = await putScript(client, solution, { name }, `-- ${name}\n`)
    await open(made)
  })
  return (
    <FormDialog
      title={t.add}
      action={t.create}
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={(form) => {
        const name = textOf(form, 'name')
        setWrong(name === '' ? t.nameWanted : undefined)
        if (name !== '') add.run(name, onClose)
      }}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t.name}
        description={t.nameAbout}
        error={wrong}
        data-autofocus
      />
    </FormDialog>
  )
}
