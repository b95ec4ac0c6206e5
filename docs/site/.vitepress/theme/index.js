import DefaultTheme from 'vitepress/theme';
import ApiViewer from './ApiViewer.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('ApiViewer', ApiViewer);
  },
};
