import { Code, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { callOperation, type Operation, type OperationAnswer } from '../../../api/interfaces.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { SelectField } from '../../../components/controls/fields.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Part } from '../../../components/controls/part.tsx'
import { shownJson } from '../../../components/json-field.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import {
  completeValue,
  type PayloadSchema,
  placesIn,
  refusedField,
} from '../../../components/schema-form/schema.ts'
import {
  draftValue,
  isBroken,
  type SchemaDraft,
  SchemaForm,
  useSchemaFaults,
} from '../../../components/schema-form/schema-form.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'

const texts = defineTexts({
  title: ['Operations', 'Operationen'],
  about: [
    'The published operation is called, and really does what it does.',
    'Die veröffentlichte Operation wird aufgerufen und tut, was sie tut.',
  ],
  operation: ['Operation', 'Operation'],
  args: ['Arguments', 'Argumente'],
  json: ['Arguments (JSON)', 'Argumente (JSON)'],
  free: [
    'The operation takes any arguments: it has no schema.',
    'Die Operation nimmt beliebige Argumente: Sie hat kein Schema.',
  ],
  call: ['Call', 'Aufrufen'],
  answer: ['Answer', 'Antwort'],
  nothing: ['It answered nothing.', 'Sie hat nichts geantwortet.'],
})

type Props = { readonly solution: string; readonly operations: readonly Operation[] }

const route = getRouteApi('/solutions/$solution/{-$view}')

/** The operations of a solution, to be called with a form of their schema. */
export function OperationsPane({ solution, operations }: Props) {
  const t = useTexts(texts)
  const navigate = route.useNavigate()
  const { name } = route.useSearch()
  const chosen = operations.find((one) => one.name === name) ?? operations[0]
  if (chosen === undefined) return null
  const choose = (next: string) => navigate({ search: { name: next } })
  return (
    <Part title={t.title}>
      <Faint>{t.about}</Faint>
      <SelectField
        label={t.operation}
        maw="24rem"
        mt="xs"
        data={operations.map((one) => one.name)}
        value={chosen.name}
        onChange={choose}
      />
      {(chosen.description ?? '') !== '' && (
        <Text size="sm" mt="xs" className={styles.name}>
          {chosen.description}
        </Text>
      )}
      <CallForm key={chosen.name} solution={solution} operation={chosen} />
    </Part>
  )
}

const place = 'parameters'

type FormProps = { readonly solution: string; readonly operation: Operation }

function CallForm({ solution, operation: { name, parameters = {} } }: FormProps) {
  const t = useTexts(texts)
  const schema: PayloadSchema = parameters
  const isFree = Object.keys(schema.properties ?? {}).length === 0
  const [draft, setDraft] = useState<SchemaDraft>({ value: {}, ...(isFree && { json: '{}' }) })
  const [answer, setAnswer] = useState<OperationAnswer>()
  const [isTried, setTried] = useState(false)
  const faults = useSchemaFaults(schema, draft, place)
  const { isBusy, error, run } = useChange<unknown>(async (client, args) => {
    setAnswer(await callOperation(client, solution, name, args))
  })
  const refused = answer?.error === undefined ? undefined : answer.error
  const places = draft.json === undefined ? placesIn(schema, draft.value, place).toReversed() : []
  const atField =
    refused === undefined ? undefined : refusedField(refused.error, places.slice(0, -1))
  const submit = () => {
    setTried(true)
    setAnswer(undefined)
    if (Object.keys(faults).length > 0 || isBroken(draft)) return
    run(draft.json === undefined ? completeValue(schema, draft.value) : draftValue(draft))
  }
  const edit = (next: SchemaDraft) => {
    setDraft(next)
    // A refusal is about what was sent.
    if (refused !== undefined) setAnswer(undefined)
  }
  return (
    <Form onSubmit={submit} noValidate aria-label={t.args} style={{ marginTop: '0.75rem' }}>
      {isFree && <Faint>{t.free}</Faint>}
      <SchemaForm
        {...{ schema, draft, place }}
        jsonLabel={t.json}
        isJsonOnly={isFree}
        faults={{
          ...(isTried && faults),
          ...(atField !== undefined && { [atField.place]: atField.text }),
        }}
        onChange={edit}
      />
      {error !== null && <Trouble error={error} />}
      <Group mt="sm">
        <Action text={t.call} submit busy={isBusy} disabled={isBroken(draft)} />
      </Group>
      {answer !== undefined && atField === undefined && <Answer answer={answer} />}
    </Form>
  )
}

function Answer({ answer }: { readonly answer: OperationAnswer }) {
  const t = useTexts(texts)
  const { status, error } = answer
  const isGood = error === undefined
  const text = isGood ? answer.result : error
  return (
    <div role="status" aria-label={t.answer} className={styles.result}>
      <Line>
        <Badge
          tone={isGood ? 'good' : 'bad'}
          icon={isGood ? 'check' : 'stop'}
          text={String(status)}
        />
        {error !== undefined && <span className={styles.name}>{error.error}</span>}
        {isGood && text === undefined && <Faint inline>{t.nothing}</Faint>}
      </Line>
      {isGood && text !== undefined && (
        <Code block className={styles.code} mt="xs" style={{ whiteSpace: 'pre-wrap' }}>
          {shownJson(text)}
        </Code>
      )}
    </div>
  )
}
