import { Alert, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Client } from '../../../api/client.ts'
import {
  type BreakingChange,
  checkDefinition,
  type Definition,
  getDefinition,
  publishDefinition,
  type WantedDefinition,
} from '../../../api/interfaces.ts'
import type { Solution } from '../../../api/notifications.ts'
import { Action } from '../../../components/controls/action.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { JsonField, parseJson, shownJson } from '../../../components/json-field.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { useRead } from '../../../ui/live-queries.ts'
import { useMay } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { useDraft } from '../draft.ts'
import { LeaveGuard } from '../leave-guard.tsx'
import styles from '../solutions.module.css'
import { OperationsPane } from './operations-pane.tsx'
import { SubscribersPane } from './subscribers-pane.tsx'

const texts = defineTexts({
  title: ['Interface definition', 'Definition der Schnittstelle'],
  none: [
    'The solution offers nothing to other solutions. With the service `interface` it offers ' +
      'operations and events.',
    'Die Lösung bietet anderen Lösungen nichts an. Mit dem Dienst `interface` bietet sie ' +
      'Operationen und Ereignisse an.',
  ],
  definition: ['Definition (JSON)', 'Definition (JSON)'],
  check: ['Check', 'Prüfen'],
  publish: ['Publish', 'Veröffentlichen'],
  publishTitle: ['Publish the definition?', 'Definition veröffentlichen?'],
  publishLost: [
    'Subscribers get it at once. What it takes away, they can no longer use.',
    'Abonnenten erhalten sie sofort. Was wegfällt, können sie nicht mehr nutzen.',
  ],
  undo: ['Undo all changes', 'Alle Änderungen verwerfen'],
  unsaved: ['Not published yet.', 'Noch nicht veröffentlicht.'],
  safe: [
    'Nothing that others rely on is taken away.',
    'Nichts, worauf sich andere verlassen, fällt weg.',
  ],
  breaks: [
    'It takes away what others may rely on',
    'Es fällt weg, worauf sich andere verlassen könnten',
  ],
  hits: (ids: string) => [`breaks ${ids}`, `bricht ${ids}`],
  nobody: ['no subscriber uses it', 'kein Abonnent nutzt es'],
})

/** The interface that a solution offers to others, and its users. */
export function InterfaceView({ solution: { id } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const mayCall = useMay('Asset Management')
  const definition = useRead('definition', getDefinition, [id])
  return (
    <Stack gap="sm">
      <Pane title={t.title} query={definition}>
        {(live) =>
          live === null ? <NextStep>{t.none}</NextStep> : <Editor solution={id} live={live} />
        }
      </Pane>
      {mayCall && definition.data != null && definition.data.operations.length > 0 && (
        <OperationsPane solution={id} operations={definition.data.operations} />
      )}
      {definition.data != null && <SubscribersPane solution={id} />}
    </Stack>
  )
}

type EditorProps = { readonly solution: string; readonly live: Definition }

function Editor({ solution, live }: EditorProps) {
  const t = useTexts(texts)
  const { text, setText, isDirty, take, setBase } = useDraft(shownJson(live))
  const { value, problem } = { value: undefined, ...parseJson(text) }
  const [checked, setChecked] = useState<readonly BreakingChange[]>()
  const edit = (next: string) => {
    setText(next)
    setChecked(undefined)
  }
  const check = useChange<WantedDefinition>(async (client, wanted) => {
    setChecked(await checkDefinition(client, solution, wanted))
  })
  const queries = useQueryClient()
  const publish = async (client: Client) => {
    // Changes that the check did not show stay refused: another solution may have subscribed since.
    const mayBreak = checked?.some(({ subscribers }) => subscribers.length > 0) === true
    await publishDefinition(client, solution, value as WantedDefinition, mayBreak)
    const queryKey = ['definition', solution]
    await queries.cancelQueries({ queryKey })
    const stored = await getDefinition(client, solution, new AbortController().signal)
    queries.setQueryData(queryKey, stored)
    setBase(text)
    setChecked(undefined)
  }
  return (
    <>
      <JsonField label={t.definition} text={text} onChange={edit} />
      {checked !== undefined && <Found changes={checked} />}
      {check.error !== null && <Trouble error={check.error} />}
      <Group gap="xs" mt="xs">
        <Action
          text={t.check}
          main
          busy={check.isBusy}
          disabled={problem !== undefined || !isDirty}
          onClick={() => check.run(value as WantedDefinition)}
        />
        {checked !== undefined && (
          <AskedAction
            action={t.publish}
            title={t.publishTitle}
            loss={t.publishLost}
            work={publish}
          />
        )}
        <Action text={t.undo} disabled={!isDirty} onClick={take} />
        {isDirty && <Faint inline>{t.unsaved}</Faint>}
      </Group>
      <LeaveGuard isDirty={isDirty} />
    </>
  )
}

function Found({ changes }: { readonly changes: readonly BreakingChange[] }) {
  const t = useTexts(texts)
  if (changes.length === 0) {
    return (
      <Alert color="green" role="status" p="sm" my="xs">
        {t.safe}
      </Alert>
    )
  }
  return (
    <Alert
      color="orange"
      role="alert"
      title={t.breaks}
      classNames={{ label: styles.warning }}
      p="sm"
      my="xs"
    >
      <ul className={styles.problems}>
        {changes.map(({ part, name, change, subscribers }) => (
          <li key={`${part} ${name} ${change}`}>
            {part} {name}: {change} (
            {subscribers.length === 0
              ? t.nobody
              : t.hits(subscribers.map((one) => one.solution_id).join(', '))}
            )
          </li>
        ))}
      </ul>
    </Alert>
  )
}
