import { Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { changeVariables, listVariables, type Variable } from '../../../api/solutions.ts'
import { Badge } from '../../../components/badge.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { ConfirmedButton } from '../confirmed-button.tsx'

const texts = defineTexts({
  title: ['Variables', 'Variablen'],
  none: [
    'No variables yet. Scripts read them with `os.getenv`: tokens and addresses of others.',
    'Noch keine Variablen. Skripte lesen sie mit `os.getenv`: Tokens und Adressen anderer.',
  ],
  name: ['Name', 'Name'],
  value: ['Value', 'Wert'],
  valueAbout: [
    'It is kept encrypted, and shown to nobody.',
    'Er wird verschlüsselt aufbewahrt und niemandem gezeigt.',
  ],
  nameWanted: [
    'A name has letters, digits and underscores, no digit first.',
    'Ein Name hat Buchstaben, Ziffern und Unterstriche, keine Ziffer am Anfang.',
  ],
  state: ['State', 'Zustand'],
  change: ['Change', 'Ändern'],
  set: ['set', 'gesetzt'],
  missing: ['required, not set', 'erforderlich, nicht gesetzt'],
  preset: ['default of its author', 'Vorgabe des Autors'],
  unset: ['not set', 'nicht gesetzt'],
  save: ['Set', 'Setzen'],
  remove: ['Remove', 'Entfernen'],
  removeTitle: (name: string) => [`Remove the value of ${name}?`, `Wert von ${name} entfernen?`],
  lost: [
    'Scripts have it no longer. Nobody can show it to you again.',
    'Skripte haben ihn nicht mehr. Niemand kann ihn wieder anzeigen.',
  ],
})

type Props = { readonly solution: string }

/** The variables of a solution, without their values. */
export function VariablesPane({ solution }: Props) {
  const t = useTexts(texts)
  const variables = useLive({
    key: ['variables', solution],
    read: (client, signal) => listVariables(client, solution, signal),
    everyMs: listEveryMs,
  })
  return (
    <Pane title={t.title} query={variables}>
      {(all) => (
        <>
          {all.length === 0 && <NextStep>{t.none}</NextStep>}
          {all.length > 0 && (
            <Table heads={[t.name, t.state, t.change]} narrow="stacked">
              {all.map((one) => (
                <Row key={one.name} solution={solution} variable={one} />
              ))}
            </Table>
          )}
          <SetForm solution={solution} />
        </>
      )}
    </Pane>
  )
}

function Row({ solution, variable }: Props & { readonly variable: Variable }) {
  const t = useTexts(texts)
  const { name, description, required, has_default: hasDefault, is_set: isSet } = variable
  const remove = useChange<void>((client) => changeVariables(client, solution, { [name]: null }))
  const isMissing = required && !isSet && !hasDefault
  const otherwise = hasDefault ? t.preset : t.unset
  return (
    <tr>
      <td>
        {name}
        {description !== '' && <Faint>{description}</Faint>}
      </td>
      <td data-label={t.state}>
        <Line>
          {isSet && (
            <Badge tone="good" icon="check">
              {t.set}
            </Badge>
          )}
          {isMissing && (
            <Badge tone="care" icon="warning">
              {t.missing}
            </Badge>
          )}
          {!isSet && !isMissing && <Faint inline>{otherwise}</Faint>}
        </Line>
      </td>
      <td>
        {isSet && (
          <ConfirmedButton
            action={t.remove}
            title={t.removeTitle(name)}
            lost={t.lost}
            change={remove}
          />
        )}
      </td>
    </tr>
  )
}

const nameShape = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Sets the value of a variable, new or not. */
function SetForm({ solution }: Props) {
  const t = useTexts(texts)
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [wrong, setWrong] = useState<string>()
  const { isBusy, error, run } = useChange<Readonly<Record<string, string>>>((client, values) =>
    changeVariables(client, solution, values),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isName = nameShape.test(name.trim())
    setWrong(isName ? undefined : t.nameWanted)
    if (!isName) return
    run({ [name.trim()]: value }, () => {
      setName('')
      setValue('')
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" mt="sm" align="start">
        <TextInput
          label={t.name}
          size="xs"
          autoComplete="off"
          placeholder="WEATHER_TOKEN"
          error={wrong}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={t.value}
          size="xs"
          w="16rem"
          autoComplete="new-password"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={t.valueAbout}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" mt="1.4rem" loading={isBusy}>
          {t.save}
        </Button>
      </Group>
      {error !== null && <Trouble error={error} />}
    </form>
  )
}
