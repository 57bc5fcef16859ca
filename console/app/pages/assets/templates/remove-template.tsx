import { type ListedTemplate, removeTemplate } from '../../../api/templates.ts'
import { Question } from '../../../components/dialogs/confirm.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: (name: string) => [`Delete the template ${name}?`, `Vorlage ${name} löschen?`],
  action: ['Delete the template', 'Vorlage löschen'],
  none: ['No asset was made of it.', 'Daraus wurde keine Anlage angelegt.'],
  kept: (count: number) => [
    `${count} ${count === 1 ? 'asset that was' : 'assets that were'} made of it stay as they ` +
      'are, without a template.',
    `${count} daraus angelegte ${count === 1 ? 'Anlage bleibt' : 'Anlagen bleiben'} ` +
      'unverändert, dann ohne Vorlage.',
  ],
})

type Props = { readonly template: ListedTemplate; readonly onClose: () => void }

/** Asks before a template is deleted, and says how many assets it leaves. */
export function RemoveTemplate({ template: { id, name, assets }, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <Question
      title={t.title(name)}
      action={t.action}
      loss={assets === 0 ? t.none : t.kept(assets)}
      work={(client) => removeTemplate(client, id)}
      onClose={onClose}
    />
  )
}
