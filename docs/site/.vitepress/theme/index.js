import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import light from '../../../screenshots/inbox.png';
import dark from '../../../screenshots/inbox-dark.png';
import ApiViewer from './ApiViewer.vue';
import './style.css';

const alt = 'An inbox: the list of emails, and the chosen one with its code and link';
const screenshots = Object.entries({ light, dark }).map(([colors, src]) => ({
  class: `screenshot of-${colors}`,
  src,
  alt,
}));
const slots = { 'home-hero-image': () => screenshots.map((attributes) => h('img', attributes)) };

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, slots),
  enhanceApp({ app }) {
    app.component('ApiViewer', ApiViewer);
  },
};
