import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import screenshot from '../../../screenshots/inbox.png';
import ApiViewer from './ApiViewer.vue';
import './style.css';

const alt = 'An inbox: the list of emails, and the chosen one with its code and link';
const slots = { 'home-hero-image': () => h('img', { class: 'screenshot', src: screenshot, alt }) };

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, slots),
  enhanceApp({ app }) {
    app.component('ApiViewer', ApiViewer);
  },
};
