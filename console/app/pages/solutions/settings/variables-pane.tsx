import { PasswordInput } from '@mantine/core'
import { changeVariables, listVariables, type Variable } from '../../../api/solutions.ts'
import { Badge } from '../../../components/badge.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { FieldsForm } from '../../../components/form/fields-form.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Named } from '../../../components/table/list.tsx'
import { ListPane } from '../../../components/table/list-pane.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: ['Variables', 'Variablen'],
  none: [
    'No variables yet. Scripts read them with `os.getenv`: tokens and addresses of others.',
    'Noch keine Variablen. Skripte lesen sie mit `os.getenv`: Tokens und Adressen anderer.',
  ],
  valueAbout: [
    'It is kept encrypted, and shown to nobody.',
    'Er wird verschlüsselt aufbewahrt und niemandem gezeigt.',
  ],
  nameWanted: [
    'A name has letters, digits and underscores, no digit first.',
    'Ein Name hat Buchstaben, Ziffern und Unterstriche, keine Ziffer am Anfang.',
  ],
  set: ['set', 'gesetzt'],
  missing: ['required, not set', 'erforderlich, nicht gesetzt'],
  preset: ['default of its author', 'Vorgabe des Autors'],
  unset: ['not set', 'nicht gesetzt'],
  save: ['Set', 'Setzen'],
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
  const variables = useRead('variables', listVariables, [solution])
  return (
    <ListPane
      title={t.title}
      query={variables}
      itemKey={({ name }) => name}
      none={t.none}
      columns={[
        [t.name, ({ name, description }) => <Named name={name} of={description} />],
        [t.state, (one) => <State {...one} />],
        [
          t.change,
          ({ name, is_set: isSet }) =>
            isSet && (
              <AskedAction
                action={t.remove}
                title={t.removeTitle(name)}
                loss={t.lost}
                work={(client) => changeVariables(client, solution, { values: { [name]: null } })}
              />
            ),
        ],
      ]}
    >
      <SetForm solution={solution} />
    </ListPane>
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
  return (
    <FieldsForm
      isBelow
      action={t.save}
      fields={[
        {
          name: 'name',
          label: t.name,
          autoComplete: 'off',
          placeholder: 'WEATHER_TOKEN',
          fault: (name) => !nameShape.test(name) && t.nameWanted,
        },
        {
          name: 'value',
          as: PasswordInput,
          label: t.value,
          w: '16rem',
          autoComplete: 'new-password',
          description: t.valueAbout,
        },
      ]}
      send={(client, { name, value }) =>
        changeVariables(client, solution, { values: { [name]: value } })
      }
      onDone={(reset) => reset()}
    />
  )
}
