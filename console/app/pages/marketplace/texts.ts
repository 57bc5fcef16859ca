import { defineTexts } from '../../ui/texts.ts'

/** Words that several pages of the marketplace show. */
export const marketTexts = defineTexts({
  publish: ['Publish a module', 'Modul veröffentlichen'],
  modules: ['Modules in use', 'Genutzte Module'],
  listings: ['Listings', 'Angebote'],
  services: ['Services of solutions', 'Dienste von Lösungen'],
  served: ['Served at', 'Erreichbar unter'],
  published: ['Published', 'Veröffentlicht'],
  visibility: ['Visibility', 'Sichtbarkeit'],
  private: ['private', 'privat'],
  public: ['public', 'öffentlich'],
  own: ['yours', 'Ihres'],
  builtin: ['built in', 'eingebaut'],
  safe: ['Called in simulations', 'In Simulationen aufgerufen'],
  gone: [
    'It is not there any more, or belongs to another business.',
    'Das gibt es nicht mehr, oder es gehört einem anderen Unternehmen.',
  ],
  required: ['It is required.', 'Diese Angabe ist erforderlich.'],
  parameters: ['Configuration', 'Konfiguration'],
})
