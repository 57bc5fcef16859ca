import { Group, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { changeVariables, listVariables, type Variable } from '../../../api/solutions.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { TextField } from '../../../components/controls/fields.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { List } from '../../../components/table/list.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { useLive } from '../../../ui/live.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

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
  const variables = useLive(['variables', solution], (client, signal) =>
    listVariables(client, solution, signal),
  )
  return (
    <Pane title={t.title} query={variables}>
      {(all) => (
        <>
          <List
            items={all}
            keyOf={({ name }) => name}
            none={t.none}
            columns={[
              [t.name, (one) => <About {...one} />],
              [t.state, (one) => <State {...one} />],
              [
                t.change,
                ({ name, is_set: isSet }) =>
                  isSet && (
                    <AskedAction
                      action={t.remove}
                      title={t.removeTitle(name)}
                      loss={t.lost}
                      work={(client) =>
                        changeVariables(client, solution, { values: { [name]: null } })
                      }
                    />
                  ),
              ],
            ]}
          />
          <SetForm solution={solution} />
        </>
      )}
    </Pane>
  )
}

function About({ name, description }: Variable) {
  return (
    <>
      {name}
      {description !== '' && <Faint>{description}</Faint>}
    </>
  )
}

function State({ required, has_default: hasDefault, is_set: isSet }: Variable) {
  const t = useTexts(texts)
  const isMissing = required && !isSet && !hasDefault
  return (
    <Line>
      {isSet && <Badge tone="good" icon="check" text={t.set} />}
      {isMissing && <Badge tone="care" icon="warning" text={t.missing} />}
      {!isSet && !isMissing && <Faint inline>{hasDefault ? t.preset : t.unset}</Faint>}
    </Line>
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
    changeVariables(client, solution, { values }),
  )
  const submit = () => {
    const isName = nameShape.test(name.trim())
    setWrong(isName ? undefined : t.nameWanted)
    if (!isName) return
    run({ [name.trim()]: value }, () => {
      setName('')
      setValue('')
    })
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Group gap="xs" mt="sm" align="start">
        <TextField
          label={t.name}
          autoComplete="off"
          placeholder="WEATHER_TOKEN"
          error={wrong}
          value={name}
          onChange={setName}
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
        <Action text={t.save} submit mt="1.4rem" busy={isBusy} />
      </Group>
      {error !== null && <Trouble error={error} />}
    </Form>
  )
}
